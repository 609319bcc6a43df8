/** The REST door over real HTTP, with ports kept in memory. */
package dev.tutti.web;

/** Whole journeys: the application as it is delivered, over real HTTP, as a newcomer meets it. */
package dev.tutti.journey;

/** The REST door: what HTTP says becomes values of the model, what the ports answer becomes HTTP. It decides nothing. */
@NullMarked
package dev.tutti.web;

import org.jspecify.annotations.NullMarked;

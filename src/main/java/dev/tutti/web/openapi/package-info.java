/** The contract, generated from the controllers: openapi.yaml and Swagger UI. */
@NullMarked
package dev.tutti.web.openapi;

import org.jspecify.annotations.NullMarked;

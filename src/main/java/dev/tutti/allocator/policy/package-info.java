/**
 * Which of the nodes that hold a pod it should get: what each choice costs those who come after. One small class for each
 * policy; none of them knows queues, gangs or domains.
 */
@NullMarked
package dev.tutti.allocator.policy;

import org.jspecify.annotations.NullMarked;

package dev.tutti.control;

import java.util.UUID;

/** Names one commit of one plan, so that a lost reply can be answered by reading it back. */
public record PlanId(UUID value) {}

import { ProviderGate, providerWaits, type ProviderWaits } from './provider-gate.js';

/** Gates by project and model; the least recently used one is dropped. */
const maxGates = 2_000;

/**
 * The gates to one provider, one per project and model. A project whose own model, prompt or timeout fails every call
 * opens only its own breaker. In an outage each project detects it separately.
 */
export class ProviderGates {
  private readonly gates = new Map<string, ProviderGate>();

  constructor(private readonly waits: ProviderWaits = providerWaits) {}

  of(projectId: string, model: string): ProviderGate {
    const key = `${projectId} ${model}`;
    const gate = this.gates.get(key) ?? new ProviderGate(this.waits);
    // A Map keeps the order of insertion, so the first key is the least recently used one.
    this.gates.delete(key);
    this.gates.set(key, gate);
    if (this.gates.size > maxGates) this.gates.delete(this.gates.keys().next().value!);
    return gate;
  }
}

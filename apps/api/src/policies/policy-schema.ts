import { policyInput } from '@spillway/contracts';
import { defaultPolicy, presets } from '@spillway/service';
import { z } from 'zod';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  default?: unknown;
}

/**
 * The JSON Schema of a policy, for editors. It is made from the contract, so its bounds and descriptions always match,
 * with the engine's defaults and the presets.
 */
export function policyJsonSchema(): Record<string, unknown> {
  const document: { $defs?: Record<string, unknown> } = z.toJSONSchema(policyInput);
  const schema = document.$defs?.PolicyInput as JsonSchema;
  for (const [group, defaults] of Object.entries(defaultPolicy)) {
    const properties = schema.properties?.[group]?.properties ?? {};
    for (const [key, value] of Object.entries(defaults as Record<string, unknown>)) {
      const property = properties[key];
      if (property) property.default = value;
    }
  }
  return { ...schema, title: 'Policy', 'x-presets': presets };
}

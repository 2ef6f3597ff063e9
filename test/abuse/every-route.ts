/** One operation of the OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  id: string;
  needsBody: boolean;
  /** The request that the document shows: what a caller who knows the API would send. */
  example: { body: unknown; query: string };
}

interface Documented {
  operationId: string;
  parameters?: { in: string; name: string; required?: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { example: unknown }> };
  security?: unknown[];
}

/** Every operation that asks for a key, as the API itself lists them. */
export async function everyRoute(url: string): Promise<Operation[]> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Documented>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security?.length !== 0)
      .map(([method, { operationId, parameters = [], requestBody }]) => ({
        method: method.toUpperCase(),
        path,
        id: operationId,
        needsBody: requestBody !== undefined,
        example: {
          body: requestBody?.content['application/json']?.example,
          query: requiredQuery(parameters),
        },
      })),
  );
}

function requiredQuery(parameters: NonNullable<Documented['parameters']>): string {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = new URLSearchParams(
    Object.fromEntries(required.map(({ name, example }) => [name, String(example)])),
  );
  return required.length === 0 ? '' : `?${query.toString()}`;
}

/** A turn of a chat would answer that the server has no model, whose thread it may be. */
const bodies: Record<string, unknown> = { chat: {} };

/** A refusal must come from whose it is, and not from a missing field. */
export const bodyOf = ({ id, example }: Operation): unknown => bodies[id] ?? example.body;
export const queryOf = ({ example }: Operation): string => example.query;

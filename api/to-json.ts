/** JSON text of a response body. */
export const toJson = (body: unknown): string => (isText(body) ? body.json : JSON.stringify(body))

/** Whether a body was assembled from stored fragments. */
export const isText = (body: unknown): body is { json: string } =>
  typeof body === 'object' && body !== null && 'json' in body && typeof body.json === 'string'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON text of a response body. */
export const toJson = (body: unknown): string => (isText(body) ? body.json : JSON.stringify(body))

/** Whether a body was assembled from stored fragments. */
export const isText = (body: unknown): body is { json: string } =>
  typeof body === 'object' && body !== null && 'json' in body && typeof body.json === 'string'

/** Whether a body is JSON that is sent as it is. */
export const isBytes = (body: unknown): body is { bytes: Buffer } =>
  typeof body === 'object' && body !== null && 'bytes' in body && Buffer.isBuffer(body.bytes)

export const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON text of a response body. */
export function toJson(body: unknown): string {
  const isText = typeof body === 'object' && body !== null && 'json' in body && typeof body.json === 'string'
  return isText ? (body as { json: string }).json : JSON.stringify(body)
}

export const JSON_TYPE = 'application/json; charset=utf-8'

import type { FastifyInstance } from 'fastify'
import { badRequest } from '../../api/errors.ts'

/** Lets forms send a file, which becomes the text of its field. Node itself parses the form. */
export function acceptFiles(app: FastifyInstance, maxBytes: number): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: maxBytes },
    async (request: { headers: Record<string, unknown> }, body: Buffer) => {
      const type = String(request.headers['content-type'])
      const sent = new Response(new Uint8Array(body), { headers: { 'content-type': type } })
      const form = await sent.formData().catch(() => {
        throw badRequest('The form could not be read. Reload the page and try again.')
      })
      const fields: Record<string, string | string[]> = {}
      for (const [name, value] of form) {
        const text = typeof value === 'string' ? value : await value.text()
        const before = fields[name]
        fields[name] = before === undefined ? text : [before, text].flat()
      }
      return fields
    },
  )
}

import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import type { HttpClient, SourceRequest } from '../../activities/http-client.ts'

type Asked = Omit<SourceRequest<unknown>, 'schema'>

/** An HTTP client for JSON whose answers come from a function, and what it was asked. */
export function scriptedHttp(answerTo: (request: Asked) => unknown): { http: HttpClient; asked: Asked[] } {
  const asked: Asked[] = []
  const unexpected = () => Promise.reject(new Error('only JSON is answered'))
  const http: HttpClient = {
    async fetchJson({ schema, ...request }) {
      asked.push(request)
      const body = await answerTo(request)
      const refusal = request.refuse?.(body)
      if (refusal?.later) throw new SourceUnavailable(request.source, refusal.reason)
      if (refusal) throw new SourceRejected(request.source, refusal.reason)
      return schema.parse(body)
    },
    fetchText: unexpected,
    send: unexpected,
    close: () => Promise.resolve(),
  }
  return { http, asked }
}

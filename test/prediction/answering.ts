import type { HttpClient } from '../../activities/http-client.ts'

/** An HTTP client that answers by the path, and what it was asked for. The host does not matter. */
export function answering(answer: (path: string) => unknown): { http: HttpClient; asked: string[] } {
  const asked: string[] = []
  const http: Pick<HttpClient, 'fetchJson'> = {
    async fetchJson({ url, schema }) {
      const path = url.replace(/^https?:\/\/[^/]+/, '')
      asked.push(path)
      return schema.parse(await answer(path))
    },
  }
  return { http: http as HttpClient, asked }
}

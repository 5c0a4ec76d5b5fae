import type { Route } from './route.ts'

/** The tags and endpoints that a key can be restricted to. */
export function openable(routes: readonly Route[]): { tags: string[]; endpoints: string[] } {
  const keyed = routes.filter((route) => !route.public)
  return {
    tags: [...new Set(keyed.map(({ tag }) => tag))],
    endpoints: keyed.map(({ method, path }) => `${method} ${path}`),
  }
}

import type { Route } from './route.ts'

/** What a key may be restricted to: tags of the table, and single endpoints of it. */
export function openable(routes: readonly Route[]): { tags: string[]; endpoints: string[] } {
  const keyed = routes.filter((route) => !route.public)
  return {
    tags: [...new Set(keyed.map(({ tag }) => tag))],
    endpoints: keyed.map(({ method, path }) => `${method} ${path}`),
  }
}

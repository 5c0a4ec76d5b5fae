import type { Route } from './route.ts'
export interface PublicPage {
  path: string
  headers: Record<string, string>
  body: string
}
export function publicPages(routes: readonly Route[]): PublicPage[] {
  return []
}

import type { Route } from './route.ts'

/** Every endpoint, the only list of them. More specific paths need no order: the router prefers literals. */
export const routes: readonly Route[] = []

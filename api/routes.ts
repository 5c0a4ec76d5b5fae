import type { Route } from './route.ts'
import { statusRoutes } from './status/routes.ts'
import { usageRoutes } from './usage/routes.ts'

/** Every endpoint, the only list of them. More specific paths need no order: the router prefers literals. */
export const routes: readonly Route[] = [...statusRoutes, ...usageRoutes]

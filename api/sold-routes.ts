import { type Environment, readSettings } from '../ops/settings/read-settings.ts'
import { SettingsError } from '../ops/settings/settings-error.ts'
import type { Route, X402Price } from './route.ts'
import { routes } from './routes.ts'

/** The gateway has no accounts, so it cannot sell answers about one. */
const isOfAccount = ({ tag, path }: Route) =>
  tag === 'Usage' || tag === 'Exchanges' || tag === 'Events' || path === '/portfolio/list'

/**
 * Every endpoint, with the prices of those that the operator sells besides the price list. Throws a
 * SettingsError for paths that cannot be added.
 */
export function readSoldRoutes(env: Environment): readonly Route[] {
  const added =
    readSettings(env, { optional: ['X402_ALSO_SELLS'] }).X402_ALSO_SELLS ?? new Map<string, string>()
  const canBeAdded = (route: Route) =>
    route.method === 'GET' && route.x402 === null && !route.public && !isOfAccount(route)
  const paths = new Set(routes.filter(canBeAdded).map(({ path }) => path))
  const wrong = [...added.keys()].filter((path) => !paths.has(path))
  if (wrong.length > 0)
    throw new SettingsError(
      wrong.map(
        (path) =>
          `X402_ALSO_SELLS has "${path}": give paths of GET endpoints that are not in the price list and not about an account, such as /nft/trending`,
      ),
    )
  return routes.map((route) => {
    const price = canBeAdded(route) ? added.get(route.path) : undefined
    return price === undefined ? route : { ...route, x402: price as X402Price }
  })
}

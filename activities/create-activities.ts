import type { ActivityDeps } from './deps.ts'
import * as factories from './index.ts'

type Created = ReturnType<(typeof factories)[keyof typeof factories]>
/** What has all that each of a union has. */
type All<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer U) => void ? U : never

/** The activities of every area, and of what all share. */
export function createActivities(deps: ActivityDeps): All<Created> {
  const created = Object.values(factories).map((create) => create(deps))
  return Object.assign({}, ...created) as All<Created>
}

import type { ActivityDeps } from './deps.ts'
import * as factories from './index.ts'

type Created = ReturnType<(typeof factories)[keyof typeof factories]>
/** Turns a union of types into their intersection. */
type All<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer U) => void ? U : never

/** The activities of every area, plus the shared ones. */
export function createActivities(deps: ActivityDeps): All<Created> {
  const created = Object.values(factories).map((create) => create(deps))
  return Object.assign({}, ...created) as All<Created>
}

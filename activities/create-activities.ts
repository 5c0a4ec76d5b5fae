import type { ActivityDeps, NodeDeps } from './deps.ts'
import * as areas from './index.ts'
import { createNodes } from './nodes/create-nodes.ts'
import { createSourceUsage } from './source-usage.ts'

type Created = ReturnType<(typeof areas)[keyof typeof areas]>
/** Turns a union of types into their intersection. */
type All<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer U) => void ? U : never

/** The activities of every area, plus the shared ones. */
export function createActivities(
  deps: ActivityDeps,
  { nodes }: NodeDeps = createNodes({ ...deps, usage: createSourceUsage(deps) }),
): All<Created> {
  const created = Object.values(areas).map((create) => create({ ...deps, nodes }))
  return Object.assign({}, ...created) as All<Created>
}

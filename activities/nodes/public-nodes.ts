import { NETWORKS } from '../../db/values/networks.ts'

/** Nodes that answer without a key, by network, in the order in which they are asked. */
export const PUBLIC_NODES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  NETWORKS.flatMap(({ id, publicNodes }) => (publicNodes.length > 0 ? [[id, publicNodes]] : [])),
)

import { NETWORKS } from '../../db/values/networks.ts'

type NodesByNetwork = Readonly<Record<string, readonly string[]>>

const nodesOf = (wanted: boolean): NodesByNetwork =>
  Object.fromEntries(
    NETWORKS.flatMap(({ id, inAll, publicNodes }) =>
      inAll === wanted && publicNodes.length > 0 ? [[id, publicNodes]] : [],
    ),
  )

/** Nodes that answer without a key, by network of `all`, in the order in which they are asked. */
export const PUBLIC_NODES = nodesOf(true)
/** Those of the networks that EXTRA_NETWORKS turns on. */
export const EXTRA_NODES = nodesOf(false)

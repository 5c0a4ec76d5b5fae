import { rpcVariable } from '../../activities/config.ts'
import { PUBLIC_NODES } from '../../activities/nodes/public-nodes.ts'
import { vendorKeys } from '../keys.ts'

/** A setting that makes something of a live installation better, in plain text. */
export interface Offer {
  variable: string
  gives: string
  /** Its form, if that needs explaining. */
  note?: string
  without: string
  /** Free plan and page of the vendor. Absent: there are several vendors. */
  freePlan?: string
  from?: string
}

/** Keys of sources, in the order of docs/live.md. */
export const keyOffers = (): Offer[] =>
  vendorKeys().map(({ meaning, ...key }) => ({
    ...key,
    gives: plain(key.gives),
    ...(meaning !== undefined && { note: plain(meaning) }),
    without: plain(key.without),
    freePlan: plain(key.freePlan),
  }))

/** Nodes of the networks that have public ones. */
export const nodeOffers = (): Offer[] =>
  Object.keys(PUBLIC_NODES).map((network) => ({
    variable: rpcVariable(network),
    gives: `Nodes of your own for ${network}, comma-separated: old blocks, and more calls than public nodes allow`,
    without: `${PUBLIC_NODES[network]!.length} public nodes, which promise nothing`,
  }))

/** Texts of the areas are Markdown. */
const plain = (markdown: string): string => markdown.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1').replaceAll('`', '')

/** Search attributes in Temporal by which runs of workflows are found. */
export const RUN_ATTRIBUTES = {
  /** such as `prices` */
  area: { name: 'SluiceArea', type: 'KEYWORD' },
  /** the sources that the run asks */
  source: { name: 'SluiceSource', type: 'KEYWORD_LIST' },
  /** id of the account that ordered the run */
  account: { name: 'SluiceAccount', type: 'KEYWORD' },
  /** address */
  wallet: { name: 'SluiceWallet', type: 'KEYWORD' },
  /** id of the network, such as `base` */
  network: { name: 'SluiceNetwork', type: 'KEYWORD' },
} as const

export type RunAttribute = keyof typeof RUN_ATTRIBUTES

/** How a run stands, in searches. */
export const RUN_STATES = ['running', 'failed', 'completed'] as const
export type RunState = (typeof RUN_STATES)[number]

/** Memo of a schedule's runs: the sources that they ask. Unlike attributes, every server keeps it. */
export const SOURCES_MEMO = 'sluiceSources'

/** What a run is about. Empty and absent: nothing of the kind. */
export type RunAbout = { source?: readonly string[] } & { [K in Exclude<RunAttribute, 'source'>]?: string }

/** The pairs that Temporal's clients and workflows take. `known`: those that the server has. */
export function runAttributes(about: RunAbout, known: Iterable<RunAttribute>): RunAttributePair[] {
  const pairs: RunAttributePair[] = []
  for (const of of known)
    if (of === 'source') {
      const { source = [] } = about
      if (source.length > 0) pairs.push({ key: RUN_ATTRIBUTES.source, value: [...source] })
    } else {
      const value = about[of]
      if (value !== undefined) pairs.push({ key: RUN_ATTRIBUTES[of], value })
    }
  return pairs
}

type Keys = typeof RUN_ATTRIBUTES
export type RunAttributePair =
  | { key: Keys['source']; value: string[] }
  | { key: Keys[Exclude<RunAttribute, 'source'>]; value: string }

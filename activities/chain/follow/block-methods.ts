import { SourceUnavailable } from '../../errors.ts'
import type { ChosenNode } from '../../nodes/node-pool.ts'
import { oldestBlock } from '../../nodes/oldest-block.ts'
import { refusalOf } from '../../nodes/rpc.ts'
import type { AskNode, BlockFetcher } from './block-data.ts'
import { createLogFetcher, LOG_METHODS } from './fetch-logs.ts'
import { createReceiptFetcher, RECEIPT_METHODS } from './fetch-receipts.ts'
import { createHeaderReader } from './read-headers.ts'
import type { BlockSource, HeaderReader } from './read-headers.ts'

/**
 * A node of the network that has methods. `prefer`: this one, if it is well; `other`: another one than this, if
 * there is one; `block`: the oldest that is needed. Throws SourceUnavailable, or the refusal of that block if no node
 * has it.
 */
export type ChooseNode = (work: {
  methods: readonly string[]
  prefer?: string | null
  other?: string
  block?: number | null
}) => ChosenNode

/** A node, and how blocks are read from it. */
export interface BlockMethod {
  method: 'receipts' | 'logs'
  node: ChosenNode
  fetcher: BlockFetcher
}

export interface BlockMethods {
  /** The node in use. */
  current: () => BlockMethod
  /** Chooses a node that has these methods too, and the best way to read its blocks. Throws as ChooseNode does. */
  choose: (work?: Wanted) => BlockMethod
  /** Another node than the one in use that has the methods; that one, if there is no other. */
  other: (methods: readonly string[]) => ChosenNode
  /** The blocks of another node, read as those of the one in use; null: there is no other that has them. */
  another: () => BlockMethod | null
  /** Headers from the node in use. */
  chain: HeaderReader
  /** Headers from the node in use, or from another one where that lacks them. */
  old: HeaderReader
  /**
   * Runs work on the node in use. Where that refuses a method or old blocks, the error is SourceUnavailable: the next
   * choice is another node or method, because the node is known for it from then on.
   */
  run: <T>(work: (by: BlockMethod) => Promise<T>) => Promise<T>
}

/** In order of preference: receipts prove more than logs do. */
const NEEDS = [
  ['receipts', RECEIPT_METHODS],
  ['logs', LOG_METHODS],
] as const

interface Wanted {
  methods: readonly string[]
  prefer: string | null
  /** null: new blocks will do */
  block: number | null
}

const ANY: Wanted = { methods: [], prefer: null, block: null }
/** What a node may lack that another one has. */
const LACKS = new Set(['method', 'archive'])

export function createBlockMethods(
  options: Omit<BlockSource, 'ask'> & { chooseNode: ChooseNode },
): BlockMethods {
  const { chooseNode, source } = options
  let inUse: BlockMethod | null = null
  const ask: AskNode = (method, params) => current().node.ask(method, params)
  const fetchersOf = (by: AskNode) => ({
    receipts: createReceiptFetcher({ ...options, ask: by }),
    logs: createLogFetcher({ ...options, ask: by }),
  })
  const fetchers = fetchersOf(ask)

  const current = (): BlockMethod => inUse ?? choose()

  function choose({ methods, prefer, block } = ANY): BlockMethod {
    let failure: unknown
    for (const [method, needs] of NEEDS)
      try {
        const node = chooseNode({ methods: [...needs, ...methods], prefer, block })
        inUse = { method, node, fetcher: fetchers[method] }
        return inUse
      } catch (error) {
        if (!(error instanceof SourceUnavailable)) throw error
        failure ??= error
      }
    throw failure
  }

  async function run<T>(work: (by: BlockMethod) => Promise<T>): Promise<T> {
    try {
      return await work(current())
    } catch (error) {
      if (!LACKS.has(refusalOf(error)?.kind ?? '')) throw error
      throw new SourceUnavailable(source, (error as Error).message)
    }
  }

  const other = (methods: readonly string[]) => chooseNode({ methods, other: current().node.name })

  function another(): BlockMethod | null {
    const { method, node } = current()
    const found = other(method === 'receipts' ? RECEIPT_METHODS : LOG_METHODS)
    return found.name === node.name ? null : { method, node: found, fetcher: fetchersOf(found.ask)[method] }
  }

  /** Once the node in use is known to lack a block, another one is asked for it. */
  const askOld: AskNode = async (method, params) => {
    try {
      return await ask(method, params)
    } catch (error) {
      const block = refusalOf(error)?.kind === 'archive' ? oldestBlock({ method, params }) : null
      if (block === null) throw error
      return await chooseNode({ methods: [], block }).ask(method, params)
    }
  }

  const headersOf = (by: AskNode) => createHeaderReader({ ...options, ask: by, full: false })
  return { current, choose, other, another, chain: headersOf(ask), old: headersOf(askOld), run }
}

import type { Refusal } from './rpc.ts'

export interface RefusedCall {
  method: string
  /** HTTP status; 200 inside of a batch */
  status: number
  code: number | null
  message: string
  /** first and last block of the range that was asked for */
  fromBlock?: number | undefined
  toBlock?: number | undefined
}

/** Texts that say one thing whatever was asked, most specific first. */
const TEXTS: [RegExp, Exclude<Refusal['kind'], 'range' | 'result' | 'batch'>][] = [
  [/beyond (the )?current head|header not found|unknown block|block not found/i, 'lag'],
  [/archive|missing trie node|pruned|chain is not available/i, 'archive'],
  [/monthly|daily|per day|payment required|quota|out of (cu|credits)|capacity limit/i, 'quota'],
  [/unauthorized|authenticate|api key|project id|invalid key/i, 'key'],
  [
    /\brate\b|too many requests|requests? per|per (second|minute)|request limit|compute units|throughput/i,
    'rate',
  ],
  [
    /unsupported method|method not found|whitelisted|method \S+ .*not|does not exist\/is not|not supported by/i,
    'method',
  ],
]

/** Numbers of blocks that plans allow. `lessOne`: texts that leave open whether the number itself passes. */
const CAPS: { text: RegExp; lessOne: boolean }[] = [
  { text: /up to (?:a )?([\d,]+) blocks?/i, lessOne: false },
  { text: /limited to (?:a )?(?:0 - )?([\d,]+)/i, lessOne: false },
  { text: /ranges over ([\d,]+) blocks/i, lessOne: true },
  { text: /range \d+ exceeds limit of ([\d,]+)/i, lessOne: true },
  { text: /max(?:imum)?(?: block)? range:? (?:is |of )?([\d,]+)/i, lessOne: true },
  { text: /maximum is set to ([\d,]+)/i, lessOne: true },
  { text: /requested blocks is ([\d,]+)/i, lessOne: true },
  { text: /at most ([\d,]+) blocks/i, lessOne: true },
  { text: /greater than ([\d,]+) max/i, lessOne: true },
  { text: /max block range ([\d,]+)/i, lessOne: true },
  { text: /exceeds? (?:the )?(?:max(?:imum)?|limit)(?: of)?:? ([\d,]+) blocks/i, lessOne: true },
]
const RESULT =
  /max results|more than [\d,]+ (results|logs)|logs matched by query|response size|response too large|no backend|too many (results|logs)/i
const RANGE = /range|too (many|wide|large)|limit exceeded|invalid params|query exceeds/i
const SUGGESTED = /\[?(0x[0-9a-f]+|\d+)(?:, ?|-)(0x[0-9a-f]+|\d+)\]?/i
const SLOW = /time(d )?[- ]?out/i

/** null: the call itself is at fault, or the text is not known. */
export function readRefusal(call: RefusedCall): Refusal | null {
  const { method, status, code, message } = call
  if (/revert|invalid opcode|out of gas/i.test(message)) return null
  if (/batch/i.test(message)) return { kind: 'batch', calls: numberIn(message, /more than (\d+)|(\d+) req/i) }
  const logs = method === 'eth_getLogs' ? logRefusal(call) : null
  if (logs) return logs
  const found = TEXTS.find(([text]) => text.test(message))
  if (found) return { kind: found[1] }
  if (status === 402) return { kind: 'quota' }
  if (status === 401) return { kind: 'key' }
  if (status === 429 || code === 429 || code === -32016 || code === -32029) return { kind: 'rate' }
  if (status === 408 || code === 30 || SLOW.test(message)) return { kind: 'slow' }
  // -32005 is a limit of some kind: of the rate, unless a range was asked for.
  if (code === -32005) return { kind: 'rate' }
  if (code === -32601 || (code !== null && (status === 403 || status === 405))) return { kind: 'method' }
  return null
}

/** The range comes before the texts of all methods: "limited", "exceeds" and "plan" are in many of them. */
function logRefusal({ message, code, fromBlock, toBlock }: RefusedCall): Refusal | null {
  if (/beyond (the )?current head/i.test(message)) return { kind: 'lag' }
  if (/archive|\brate\b|per (second|minute|day)|too many requests|credits/i.test(message)) return null
  for (const { text, lessOne } of CAPS) {
    const blocks = numberIn(message, text)
    if (blocks !== null) return { kind: 'range', blocks: Math.max(1, lessOne ? blocks - 1 : blocks) }
  }
  const suggested = suggestedBlocks(message, fromBlock)
  if (RESULT.test(message) || suggested !== null) return { kind: 'result', blocks: suggested }
  if (code === 30 || SLOW.test(message)) return { kind: 'slow' }
  if (!RANGE.test(message)) return null
  // A node that refuses a single block has no logs at all, as the dataseeds of BNB Smart Chain.
  const isOneBlock = fromBlock !== undefined && fromBlock === toBlock
  return isOneBlock ? { kind: 'method' } : { kind: 'range', blocks: null }
}

/** The length of a range that the text names, if it begins where the asked one does. */
function suggestedBlocks(message: string, fromBlock: number | undefined): number | null {
  const range = SUGGESTED.exec(message)
  if (!range || fromBlock === undefined || Number(range[1]) !== fromBlock) return null
  return Math.max(1, Number(range[2]) - fromBlock + 1)
}

function numberIn(message: string, text: RegExp): number | null {
  const found = text.exec(message)
  const digits = found?.slice(1).find((group) => group !== undefined)
  return digits === undefined ? null : Number(digits.replaceAll(',', ''))
}

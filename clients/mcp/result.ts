import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ApiAnswer } from './call-api.ts'
import { trim, type Trimming } from './trim.ts'

export const failure = (text: string): CallToolResult => ({
  content: [{ type: 'text', text }],
  isError: true,
})

/** One answer of the API as the result of a tool, whole unless `trimming` is given. */
export function resultOf(answer: ApiAnswer | string, trimming?: Trimming): CallToolResult {
  if (typeof answer === 'string') return failure(answer)
  const { isOk, body, waitS, told } = answer
  const { text, cuts } = trimming && isOk ? trim(body, trimming) : { text: JSON.stringify(body), cuts: [] }
  return {
    content: [text, ...notesOf([answer], cuts), ...waits(waitS)].map((line) => ({
      type: 'text',
      text: line,
    })),
    ...(!isOk && { isError: true }),
    _meta: { ...told },
  }
}

/** Several answers by name as one result. It is an error only if none of them is an answer. */
export function resultOfAll(
  answers: readonly { name: string; answer: ApiAnswer | string; trimming: Trimming }[],
): CallToolResult {
  const parts = answers.map(({ name, answer, trimming }) => {
    if (typeof answer === 'string') return { name, text: JSON.stringify({ error: answer }), cuts: [] }
    const { text, cuts } = answer.isOk
      ? trim(answer.body, trimming)
      : { text: JSON.stringify({ error: answer.body }), cuts: [] }
    return { name, text, cuts: cuts.map((cut) => ({ ...cut, path: `${name}.${cut.path}` })) }
  })
  const text = `{${parts.map((part) => `${JSON.stringify(part.name)}:${part.text}`).join(',')}}`
  const real = answers.flatMap(({ answer }) => (typeof answer === 'string' ? [] : [answer]))
  const lines = [
    text,
    ...notesOf(
      real,
      parts.flatMap(({ cuts }) => cuts),
    ),
    ...waits(real.find(({ waitS }) => waitS)?.waitS),
  ]
  return {
    content: lines.map((line) => ({ type: 'text', text: line })),
    ...(!real.some(({ isOk }) => isOk) && { isError: true }),
  }
}

/** What was left out, and what the answers cost. */
function notesOf(
  answers: readonly ApiAnswer[],
  cuts: readonly { path: string; shown: number; of: number }[],
) {
  const costs = answers.flatMap(({ told }) => told['x-credits-cost'] ?? [])
  const left = answers.findLast(({ told }) => told['x-credits-remaining'])?.told['x-credits-remaining']
  return [
    ...cuts.map(
      ({ path, shown, of }) =>
        `Left out: ${path || 'the answer'} has ${of} items, and ${shown} are here. Ask for a page, filter, or raise maxItems.`,
    ),
    ...(costs.length > 0
      ? [
          `Credits: ${costs.reduce((sum, cost) => sum + Number(cost), 0)} charged${left ? `, ${left} left` : ''}.`,
        ]
      : []),
  ]
}

const waits = (waitS: string | null | undefined): string[] => (waitS ? [`Retry after ${waitS} seconds`] : [])

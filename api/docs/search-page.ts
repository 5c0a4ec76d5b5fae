import { html } from '../../web/parts/html.ts'
import { inlineCode } from '../../web/parts/inline-code.ts'
import { ERROR_STATUSES } from '../error-catalogue.ts'
import type { OpenApiDocument } from '../openapi.ts'
import { docsPage } from './docs-layout.ts'
import { docsOperations, tagHref } from './docs-operations.ts'

const MOST_RESULTS = 30
const MOST_CHARACTERS = 100
const MOST_WORDS = 10

/** Something that can be found. */
interface Entry {
  href: string
  title: string
  about: string
  /** Words of texts by weight: a word in an earlier one counts more. */
  words: readonly (readonly string[])[]
}

/** A function that renders the results of a search: endpoints, tags and errors that have all of its words. */
export function searchPages(document: OpenApiDocument): (query: string) => string {
  const entries = entriesOf(document)
  return (query) => {
    const text = (new URLSearchParams(query).get('q') ?? '').slice(0, MOST_CHARACTERS).trim()
    const found = text === '' ? [] : search(entries, text)
    const body = html`<p role="status">
        ${text === '' ? 'Write what you look for into the field above.' : `${found.length} results for “${text}”.`}
      </p>
      <ol>
        ${found.slice(0, MOST_RESULTS).map(
          ({ href, title, about }) =>
            html`<li>
              <a href="${href}">${title}</a>
              <p>${inlineCode(about)}</p>
            </li>`,
        )}
      </ol>`
    return docsPage({ at: '/v1/docs/search', title: 'Search', body, query: text })
  }
}

function entriesOf(document: OpenApiDocument): Entry[] {
  const operations = docsOperations(document).map(({ method, path, tag, href, operation }): Entry => {
    const { operationId, summary, description, parameters } = operation
    const names = parameters.map(({ name }) => name).join(' ')
    return {
      href,
      title: summary,
      about: `\`${method} /v1${path}\``,
      words: [`${summary} ${operationId}`, `${method} ${path} ${tag}`, names, description].map(wordsOf),
    }
  })
  const tags = document.tags.map(({ name, description }): Entry => {
    return {
      href: tagHref(name),
      title: name,
      about: description,
      words: [name, '', '', description].map(wordsOf),
    }
  })
  const errors = ERROR_STATUSES.flatMap(({ status, errors: own }) =>
    own.map(({ message, meaning }): Entry => {
      return {
        href: `/v1/docs/errors#status-${status}`,
        title: `${status}: ${message}`,
        about: meaning,
        words: [`${status} ${message}`, '', 'error', meaning].map(wordsOf),
      }
    }),
  )
  return [...tags, ...operations, ...errors]
}

/** Entries that have every word as the beginning of one of theirs, the best first. */
function search(entries: readonly Entry[], text: string): Entry[] {
  const words = [...new Set(wordsOf(text))].slice(0, MOST_WORDS)
  if (words.length === 0) return []
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, words) }))
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry)
}

function scoreOf({ words: own }: Entry, words: readonly string[]): number {
  let sum = 0
  for (const word of words) {
    const at = own.findIndex((list) => list.some((one) => one.startsWith(word)))
    if (at < 0) return 0
    sum += own.length - at
  }
  return sum
}

/** Words in lower case; `coinIds` is also `coin` and `ids`. */
const wordsOf = (text: string): string[] => [
  ...(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []),
  ...(text
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []),
]

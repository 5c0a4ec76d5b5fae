import { html, type Html } from '../../web/parts/html.ts'
import { inlineCode } from '../../web/parts/inline-code.ts'
import { table } from '../../web/parts/table.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Parameter } from '../openapi.ts'

/** Parameters without second spellings of filters. */
export const shownParameters = (parameters: readonly Parameter[]): Parameter[] =>
  parameters.filter(({ name }) => !name.includes('~'))

export function parametersTable(parameters: readonly Parameter[]): Html {
  if (parameters.length === 0) return html`<p>It has no parameters.</p>`
  const shown = table({
    label: 'Parameters',
    columns: ['Name', 'Meaning', 'Values', 'Example'],
    rows: parameters.map(({ name, in: place, required, description, schema, example }) => [
      html`<code>${name}</code
        >${place !== 'query' && html` <span class="soft">${place}</span>`}${required && html` <strong>required</strong>`}`,
      html`<span>${inlineCode(sentence(description))}</span>`,
      html`<span>${valuesText(schema)}</span>`,
      html`<code>${Array.isArray(example) ? example.join(',') : String(example)}</code>`,
    ]),
  })
  return html`<div class="parameters">${shown}</div>`
}

const sentence = (text: string | undefined) => (text === undefined ? '' : `${text}.`)

/** The allowed values in words, with the default. */
function valuesText(schema: JsonSchema): string {
  const { default: fallback } = schema
  const values = choicesText(schema)
  return fallback === undefined
    ? values
    : `${values}; default ${JSON.stringify(fallback).replaceAll('"', '')}`
}

function choicesText(schema: JsonSchema): string {
  const {
    type,
    minimum,
    maximum,
    items,
    enum: choices,
  } = schema as {
    type?: string
    minimum?: number
    maximum?: number
    items?: { enum?: string[] }
    enum?: string[]
  }
  if (choices) return listed(choices)
  if (type === 'array') {
    const each = items?.enum ? `: ${listed(items.enum)}` : ''
    return `list, separated by commas${each}`
  }
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`
  return type === 'string' ? 'text' : (type ?? 'text')
}

/** Choices of the table. The form of the page has them all. */
const MOST_LISTED = 12
const listed = (choices: readonly string[]): string =>
  choices.length <= MOST_LISTED
    ? choices.join(', ')
    : `${choices.slice(0, MOST_LISTED).join(', ')} and ${choices.length - MOST_LISTED} more, which the form below lists`

import { content, html, type Html } from '../../web/parts/html.ts'
import { answersJson } from '../openapi.ts'
import type { DocsOperation } from './docs-operations.ts'
import { pythonLiteral, typescriptLiteral } from './literals.ts'
import { givenValues, type RecordedCall } from '../recorded-calls.ts'

/** The same call in three languages, as tabs that need no script. */
export function callExamples(of: DocsOperation, call: RecordedCall): Html {
  const languages = { curl: curl(of, call), TypeScript: typescript(of, call), Python: python(of, call) }
  return html`<fieldset class="tabs">
    <legend>Call</legend>
    ${Object.keys(languages).map(
      (name, n) =>
        html`<input type="radio" name="language" id="in-${name}" ${n === 0 && html`checked`} /><label
            for="in-${name}"
            >${name}</label
          >`,
    )}
    ${Object.entries(languages).map(
      ([name, text]) => html`<pre tabindex="0" role="region" aria-label="${name}">${content(text)}</pre>`,
    )}
  </fieldset>`
}

const isFree = ({ operation }: DocsOperation): boolean => operation.security.length === 0

export function curl(of: DocsOperation, { target, body }: RecordedCall): string {
  const isStream = !answersJson(of.operation)
  const lines = [
    `curl -s${isStream ? 'N' : ''}${of.method === 'GET' ? '' : ` -X ${of.method}`}`,
    ...(isFree(of) ? [] : ['-H "X-API-KEY: $KEY"']),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`]),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`]),
    `"$API${target.replaceAll(/[$"\\`]/g, (character) => encodeURIComponent(character))}"`,
  ]
  return lines.join(' \\\n  ')
}

export function typescript(of: DocsOperation, call: RecordedCall): string {
  const { method, path, operation } = of
  if (!answersJson(operation)) return typescriptStream(call)
  const values = givenValues(of, call)
  const params = Object.fromEntries(
    (['path', 'query'] as const).flatMap((place) => {
      const own = operation.parameters.filter((one) => one.in === place && values.has(one))
      return own.length > 0
        ? [[place, Object.fromEntries(own.map((one) => [one.name, values.get(one)]))]]
        : []
    }),
  )
  const input = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(call.body !== undefined && { body: call.body }),
  }
  const given = Object.keys(input).length > 0 ? `, ${typescriptLiteral(input)}` : ''
  return `import { env } from 'node:process'
import { createSluiceClient } from 'sluice-client'

const sluice = createSluiceClient({ url: env.API!, key: env.KEY! })
const { data } = await sluice.${method}('${path}'${given})
console.log(data)
`
}

const typescriptStream = ({ target }: RecordedCall): string => `import { env, stdout } from 'node:process'

const headers = { 'X-API-KEY': env.KEY! }
const response = await fetch(\`\${env.API}${target}\`, { headers })
for await (const text of response.body!.pipeThrough(new TextDecoderStream()))
  stdout.write(text)
`

export function python(of: DocsOperation, call: RecordedCall): string {
  const { operation } = of
  if (!answersJson(operation)) return pythonStream(call)
  const values = [...givenValues(of, call)].map(([{ name }, value]) => [name, pythonLiteral(value)] as const)
  const named = values.filter(([name]) => isPythonName(name))
  const others = values.filter(([name]) => !isPythonName(name))
  const given = [
    ...(call.body === undefined ? [] : [pythonLiteral(call.body)]),
    ...named.map(([name, value]) => `${name}=${value}`),
    // Names such as `price~greaterThan`.
    ...(others.length > 0
      ? [`**{${others.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')}}`]
      : []),
  ]
  return `import os
from sluice_client import Sluice

with Sluice(os.environ["API"], os.environ["KEY"]) as sluice:
    answer = sluice.${pythonMethod(operation.operationId)}(${given.join(', ')})
    print(answer.data)
`
}

/** As clients/python/generate.py names it. */
const pythonMethod = (operationId: string): string =>
  operationId.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase()

/** `from` is a word of Python. */
const isPythonName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && name !== 'from'

const pythonStream = ({ target }: RecordedCall): string => `import os
import httpx

url, headers = os.environ["API"] + ${JSON.stringify(target)}, {"X-API-KEY": os.environ["KEY"]}
with httpx.stream("GET", url, headers=headers, timeout=None) as answer:
    for text in answer.iter_text():
        print(text, end="")
`

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

export function python(of: DocsOperation, { target, body }: RecordedCall): string {
  const headers = [
    ...(isFree(of) ? [] : ['"X-API-KEY": os.environ["KEY"]']),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ]
  const lines = [
    `os.environ["API"] + ${JSON.stringify(target)},`,
    ...(of.method === 'GET' ? [] : [`method="${of.method}",`]),
    ...(headers.length > 0 ? [`headers={${headers.join(', ')}},`] : []),
    ...(body === undefined ? [] : [`data=json.dumps(${pythonLiteral(body)}).encode(),`]),
  ]
  const isStream = !answersJson(of.operation)
  const reading = isStream
    ? `    for line in answer:\n        print(line.decode(), end="")`
    : '    print(json.load(answer))'
  return `${isStream ? '' : 'import json\n'}import os
from urllib.request import Request, urlopen

request = Request(
${lines.map((line) => `    ${line}`).join('\n')}
)
with urlopen(request) as answer:
${reading}
`
}

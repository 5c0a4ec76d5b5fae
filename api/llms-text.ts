import { docsOperations, type DocsOperation } from './docs/docs-operations.ts'
import type { OpenApiDocument, Operation } from './openapi.ts'

const INTRODUCTION = `Base address: /v1 on this host. Every call needs a key, in the header X-API-KEY or as Authorization: Bearer.
Each call costs the credits listed with it; errors cost none. The headers X-Credits-Cost and X-Credits-Remaining show
the charge and the rest. GET /v1/quote returns the price of a call for free. Lists are one comma-separated value.
A parameter marked with * is required.

Errors are JSON with statusCode, message, requestId and path. 400: the message names the parameter and the reason. Send
Prefer: handling=strict, so that a misspelt parameter is such an error and not ignored. 401: no valid key. 409: the
history of the wallet is not complete; its first read started a sync, so poll its status. 429: wait as long as
Retry-After says. Without that header credits are spent: X-Credits-Reset has the seconds to the next period. PATCH, PUT, POST
and DELETE take the header Idempotency-Key.

The first read of a wallet may take 8 seconds. X-Sync-Status: syncing means that a part is missing; meta.pending or
X-Sync-Pending names it.

X-Data-As-Of is the time of the oldest data, X-Price-As-Of that of the oldest price in it. X-Data-Source: sandbox means
that the data is simulated.

For MCP: "sluice mcp" is a server with one tool per GET endpoint. Its name is the end of the endpoint's link.`

/**
 * The route table for language models, in the format of llmstxt.org: endpoints, their parameters and links to
 * details.
 */
export function llmsText(document: OpenApiDocument): string {
  const { info, tags } = document
  const operations = docsOperations(document)
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ tag }) => tag === name)
    return `## ${name}\n\n${description}\n\n${own.map(line).join('\n')}`
  })
  return `# ${info.title}

> ${info.description}

${INTRODUCTION}

${sections.join('\n\n')}

## Optional

- [OpenAPI 3.1](/v1/openapi.json): all parameters and response fields
- [API reference](/v1/docs): the same for people, with an example and a form for each call
`
}

function line({ path, method, href, operation }: DocsOperation): string {
  const { summary, description, deprecated, parameters } = operation
  const price = description.split('\n\n').at(-1)!
  const names = firstSpellings(parameters).map(({ name, required, in: place }) =>
    [place === 'header' && 'header ', name, required && '*'].filter(Boolean).join(''),
  )
  const takes = names.length > 0 ? ` Takes ${names.join(', ')}.` : ''
  const body = operation.requestBody === undefined ? '' : ' Takes a JSON body.'
  const old = deprecated ? ' Deprecated.' : ''
  return `- [${method} /v1${path}](${href}): ${summary}.${old} ${price}${takes}${body}`
}

/**
 * Lists one spelling per parameter: no aliases of filters, and the header where there is one, because URLs
 * stay in logs.
 */
function firstSpellings(parameters: Operation['parameters']): Operation['parameters'] {
  const headers = new Set(
    parameters.filter((one) => one.in === 'header').map(({ name }) => name.toLowerCase()),
  )
  return parameters.filter(({ name, in: place }) => {
    if (name.includes('~') || name === 'Idempotency-Key') return false
    return place === 'header' || !headers.has(name.toLowerCase())
  })
}

// Runs in the browser on the page of docs-page.ts: calls an endpoint with the values of its form and shows
// the response.

const SHOWN = [
  'x-credits-cost',
  'x-credits-remaining',
  'x-data-as-of',
  'x-price-as-of',
  'x-data-source',
  'retry-after',
  'x-request-id',
]

document.getElementById('no-script').remove()

/** Forms that wait for a response. */
const asking = new Set()

for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.dataset.method !== undefined) void call(form)
  })
}

async function call(form) {
  if (asking.has(form)) return
  asking.add(form)
  const answer = form.nextElementSibling
  try {
    const { url, init } = requestOf(form)
    answer.replaceChildren(paragraph('Calling …'))
    const response = await fetch(url, init)
    const text = await response.text()
    const told = SHOWN.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [`${name}: ${value}`]
    })
    answer.replaceChildren(
      paragraph(`${response.status} ${response.statusText}`),
      paragraph(told.join(' · ')),
      code('As a command', curl(url, init)),
      code('Answer', pretty(text)),
    )
  } catch (error) {
    answer.replaceChildren(paragraph(`The request failed: ${error.message}`))
  } finally {
    asking.delete(form)
  }
}

function requestOf(form) {
  let path = form.dataset.path
  const query = new URLSearchParams()
  // A misspelt parameter is an error and not ignored.
  const headers = new Headers({ Prefer: 'handling=strict' })
  const key = document.getElementById('key').value.trim()
  if (key !== '') headers.set('X-API-KEY', key)
  let body
  for (const { value, dataset } of form.elements) {
    if (value === '' || dataset.in === undefined) continue
    if (dataset.in === 'path') path = path.replace(`{${dataset.name}}`, encodeURIComponent(value))
    else if (dataset.in === 'query') query.set(dataset.name, value)
    else if (dataset.in === 'header') headers.set(dataset.name, value)
    else body = value
  }
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const url = `${location.origin}/v1${path}${query.size > 0 ? `?${query}` : ''}`
  return { url, init: { method: form.dataset.method, headers, body, cache: 'no-store', credentials: 'omit' } }
}

/** The same call for a shell, with the key in $KEY. */
function curl(url, { method, headers, body }) {
  const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`
  const parts = ['curl -s']
  if (method !== 'GET') parts.push(`-X ${method}`)
  for (const [name, value] of headers)
    parts.push(name === 'x-api-key' ? '-H "X-API-KEY: $KEY"' : `-H ${quoted(`${name}: ${value}`)}`)
  if (body !== undefined) parts.push(`-d ${quoted(body)}`)
  return [...parts, quoted(url)].join(' ')
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function paragraph(text) {
  const element = document.createElement('p')
  element.textContent = text
  return element
}

/** A scrolling block, reachable by keyboard and labelled for screen readers. */
function code(label, text) {
  const element = document.createElement('pre')
  element.textContent = text
  element.tabIndex = 0
  element.setAttribute('role', 'region')
  element.setAttribute('aria-label', label)
  return element
}

function openTarget() {
  const target = document.getElementById(location.hash.slice(1))
  if (target instanceof HTMLDetailsElement) target.open = true
}
addEventListener('hashchange', openTarget)
openTarget()

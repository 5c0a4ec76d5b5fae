// Runs in the browser on the pages of operations: calls the endpoint with the values of the form, and shows the
// response as text, table and chart.

const SHOWN = [
  'x-credits-cost',
  'x-credits-remaining',
  'x-data-as-of',
  'x-price-as-of',
  'x-data-source',
  'retry-after',
  'x-request-id',
]
const KEY = 'sluice-docs-key'
const LANGUAGE = 'sluice-docs-language'

document.getElementById('no-script').remove()
const form = document.querySelector('form[data-method]')
const keyField = document.getElementById('key')
const keepKey = document.getElementById('keep-key')

for (const pre of document.querySelectorAll('.tabs pre'))
  pre.textContent = pre.textContent.replaceAll('"$API', `"${location.origin}/v1`)

for (const choice of document.querySelectorAll('.tabs input')) {
  if (choice.id === localStorage.getItem(LANGUAGE)) choice.checked = true
  choice.addEventListener('change', () => localStorage.setItem(LANGUAGE, choice.id))
}

if (keyField) {
  keyField.value = sessionStorage.getItem(KEY) ?? ''
  keepKey.checked = keyField.value !== ''
  const keep = () =>
    keepKey.checked ? sessionStorage.setItem(KEY, keyField.value.trim()) : sessionStorage.removeItem(KEY)
  for (const field of [keyField, keepKey]) field.addEventListener('change', keep)
}

let isWaiting = false
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void call()
})
for (const button of form.querySelectorAll('button[data-from]'))
  button.addEventListener('click', () => void choose(button))

async function call() {
  if (isWaiting) return
  isWaiting = true
  const answer = form.nextElementSibling
  try {
    const { url, init } = requestOf(form)
    answer.replaceChildren(paragraph('Calling …'))
    const response = await fetch(url, init)
    if (response.headers.get('content-type') === 'text/event-stream') return await follow(response, answer)
    const text = await response.text()
    const told = SHOWN.flatMap((name) => {
      const value = response.headers.get(name)
      return value === null ? [] : [`${name}: ${value}`]
    })
    answer.replaceChildren(
      paragraph(`${response.status} ${response.statusText}`),
      paragraph(told.join(' · ')),
      code('As a command', curl(url, init)),
      ...(await results(text)),
    )
  } catch (error) {
    answer.replaceChildren(paragraph(`The request failed: ${error.message}`))
  } finally {
    isWaiting = false
  }
}

/** Shows what comes for as long as it comes. */
async function follow(response, answer) {
  const shown = code('Answer', '')
  answer.replaceChildren(paragraph(`${response.status} ${response.statusText}`), shown)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) shown.textContent += part.value
}

function headersOf() {
  // A misspelt parameter is an error and not ignored.
  const headers = new Headers({ Prefer: 'handling=strict' })
  const key = keyField?.value.trim() ?? ''
  if (key !== '') headers.set('X-API-KEY', key)
  return headers
}

const valueOf = (field) =>
  field.multiple ? [...field.selectedOptions].map(({ value }) => value).join(',') : field.value

function requestOf() {
  let path = form.dataset.path
  const query = new URLSearchParams()
  const headers = headersOf()
  let body
  for (const field of form.elements) {
    const { name, in: place } = field.dataset
    const value = valueOf(field)
    if (value === '' || place === undefined) continue
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value))
    else if (place === 'query') query.set(name, value)
    else if (place === 'header') headers.set(name, value)
    else body = value
  }
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const url = `${location.origin}/v1${path}${query.size > 0 ? `?${query}` : ''}`
  return { url, init: { method: form.dataset.method, headers, body, cache: 'no-store', credentials: 'omit' } }
}

/** Offers the values that another call lists, and takes the first one. */
async function choose(button) {
  const { for: id, from, items, value, label } = button.dataset
  const field = document.getElementById(id)
  const said = button.nextElementSibling?.matches('output')
    ? button.nextElementSibling
    : button.parentNode.insertBefore(document.createElement('output'), button.nextSibling)
  said.textContent = 'Calling …'
  const response = await fetch(`${location.origin}/v1${from}`, { headers: headersOf(), credentials: 'omit' })
  const answer = await response.json()
  const list = response.ok ? answer[items] : []
  const options = list.map((one) => {
    const option = document.createElement('option')
    option.value = one[value]
    option.textContent = `${one[label] ?? one[value]}`
    return option
  })
  said.textContent = response.ok
    ? `${list.length} found, ${response.headers.get('x-credits-cost')} credits`
    : answer.message
  if (options.length === 0) return
  const choices = document.getElementById(`${id}-values`) ?? document.createElement('datalist')
  choices.id = `${id}-values`
  choices.replaceChildren(...options)
  form.append(choices)
  field.setAttribute('list', choices.id)
  field.value = options[0].value
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

/** The answer as text, and buttons for its other views. */
async function results(text) {
  let answer
  try {
    answer = JSON.parse(text)
  } catch {
    return [code('Answer', text)]
  }
  const { viewsOf } = await import('./result-views.js')
  const views = { Text: () => code('Answer', JSON.stringify(answer, null, 2)), ...viewsOf(answer) }
  const shown = document.createElement('div')
  const row = document.createElement('div')
  row.className = 'row'
  const buttons = Object.entries(views).map(([name, view]) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = name
    button.addEventListener('click', () => {
      shown.replaceChildren(view())
      for (const one of buttons) one.setAttribute('aria-pressed', String(one === button))
    })
    return button
  })
  row.append(...buttons)
  buttons[0].click()
  return buttons.length > 1 ? [row, shown] : [shown]
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

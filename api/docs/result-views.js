// Runs in the browser beside call-form.js: shows an answer as a table and as a chart where it has a list.

const MOST_ROWS = 200
const MOST_COLUMNS = 8
const WIDTH = 1_000
const HEIGHT = 300

/** The views that an answer has, by name. */
export function viewsOf(answer) {
  const list = longestList(answer)
  const points = list === null ? null : pointsOf(list)
  return {
    ...(list !== null && { Table: () => tableOf(list) }),
    ...(points !== null && { Chart: () => chartOf(points) }),
  }
}

/** The longest list of objects or of points in an answer; null: there is none of two items. */
function longestList(value) {
  let longest = null
  const look = (part) => {
    if (typeof part !== 'object' || part === null) return
    const isRows = Array.isArray(part) && part.length > 0 && typeof part[0] === 'object' && part[0] !== null
    if (isRows && part.length > (longest?.length ?? 0)) longest = part
    // Coordinates of points are no lists of rows.
    if (!isRows || !Array.isArray(part[0])) for (const inner of Object.values(part)) look(inner)
  }
  look(value)
  return longest
}

const isScalar = (value) => typeof value !== 'object' || value === null

function tableOf(list) {
  const columns = [...new Set(list.slice(0, MOST_ROWS).flatMap((row) => Object.keys(row)))]
    .filter((name) => list.some((row) => isScalar(row[name]) && row[name] !== undefined))
    .slice(0, MOST_COLUMNS)
  const table = document.createElement('table')
  const head = table.createTHead().insertRow()
  for (const name of columns) {
    const cell = document.createElement('th')
    cell.scope = 'col'
    cell.textContent = Array.isArray(list[0]) ? `[${name}]` : name
    head.append(cell)
  }
  const body = table.createTBody()
  for (const row of list.slice(0, MOST_ROWS)) {
    const line = body.insertRow()
    for (const name of columns) {
      const value = row[name]
      const cell = line.insertCell()
      if (typeof value === 'number') cell.className = 'number'
      cell.textContent = value === undefined || !isScalar(value) ? '' : String(value)
    }
  }
  return scrolling('Table', table)
}

/** Seconds, milliseconds or ISO text as milliseconds; null: it is no time. */
function timeOf(value) {
  if (typeof value === 'number') {
    if (value > 1e12 && value < 1e13) return value
    return value > 1e9 && value < 1e10 ? value * 1_000 : null
  }
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : null
}

/** Points `[ms, value]` of a list whose items have a time and a number; null: they have not. */
function pointsOf(list) {
  const [first] = list
  const names = Object.keys(first)
  const time = names.find((name) => timeOf(first[name]) !== null)
  const number = names.find((name) => name !== time && isNumber(first[name]))
  if (time === undefined || number === undefined) return null
  const points = list
    .filter((row) => timeOf(row[time]) !== null && isNumber(row[number]))
    .map((row) => [timeOf(row[time]), Number(row[number])])
    .sort(([a], [b]) => a - b)
  return points.length > 1 ? { points, name: Array.isArray(first) ? 'value' : number } : null
}

const isNumber = (value) =>
  value !== null && value !== '' && typeof value !== 'boolean' && Number.isFinite(Number(value))

function chartOf({ points, name }) {
  const [times, values] = [points.map(([time]) => time), points.map(([, value]) => value)]
  const [from, to, low, high] = [times[0], times.at(-1), Math.min(...values), Math.max(...values)]
  const x = (time) => ((time - from) / (to - from || 1)) * WIDTH
  const y = (value) => HEIGHT - ((value - low) / (high - low || 1)) * HEIGHT
  const picture = drawing('svg', {
    viewBox: `0 -5 ${WIDTH} ${HEIGHT + 10}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': `${name} from ${date(from)} to ${date(to)}: ${low} to ${high}`,
  })
  const line = points.map(([time, value]) => `${x(time).toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  picture.append(drawing('polyline', { class: 'line', points: line }))
  const figure = document.createElement('figure')
  const caption = document.createElement('figcaption')
  caption.className = 'soft'
  caption.textContent = `${name}: ${low} to ${high}, ${date(from)} to ${date(to)}`
  figure.append(picture, caption)
  return figure
}

const date = (ms) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')

function drawing(name, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

/** A block that scrolls sideways, reachable by keyboard and labelled for screen readers. */
function scrolling(label, content) {
  const element = document.createElement('div')
  element.className = 'scroll'
  element.tabIndex = 0
  element.setAttribute('role', 'region')
  element.setAttribute('aria-label', label)
  element.append(content)
  return element
}

// Adds events to the page as they happen, the newest first. Without this script the page has the last ones.

const MOST = 100
const rows = document.querySelector('[data-stream]')
const sign = document.querySelector('[role=status]')
const stream = new EventSource(rows.dataset.stream)

function cell(text) {
  const one = document.createElement('td')
  one.textContent = text
  return one
}

function add({ data: envelope }) {
  const { seq, type, timestamp, data } = JSON.parse(envelope)
  const row = document.createElement('tr')
  const subject = data.address ?? data.portfolioId ?? data.coinId ?? data.slug ?? ''
  row.append(cell(seq), cell(timestamp), cell(type), cell(subject), cell(data.status ?? ''))
  rows.prepend(row)
  while (rows.rows.length > MOST) rows.lastElementChild.remove()
}

for (const type of rows.dataset.types.split(' ')) stream.addEventListener(type, add)
stream.addEventListener('open', () => {
  sign.textContent = 'Live.'
})
// Its address opens one stream. A new one costs as much, so the reader decides.
stream.addEventListener('error', () => {
  stream.close()
  sign.textContent = 'The stream has ended. Reload the page to open another one.'
})

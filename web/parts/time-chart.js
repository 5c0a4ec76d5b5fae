// Says the values of a chart under the pointer and by the arrow keys. Without this script its table has them.

for (const figure of document.querySelectorAll('[data-chart]')) {
  const picture = figure.querySelector('svg')
  const cursor = picture.querySelector('.cursor')
  const said = figure.querySelector('output')
  const names = [...figure.querySelectorAll('thead th')].map((cell) => cell.textContent.trim())
  // The table has the newest first.
  const rows = [...figure.querySelectorAll('tbody tr')].reverse()
  const places = rows.map((row) => Number(row.dataset.x))
  let shown = rows.length - 1

  function show(index) {
    shown = Math.min(Math.max(index, 0), rows.length - 1)
    for (const end of ['x1', 'x2']) cursor.setAttribute(end, `${places[shown]}%`)
    cursor.setAttribute('visibility', 'visible')
    const cells = [...rows[shown].cells].map((cell) => cell.textContent.trim())
    const values = cells.map((text, n) => (n === 0 || text === '' ? text : `${names[n]} ${text}`))
    said.textContent = values.filter((text) => text !== '').join(' · ')
  }

  picture.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = picture.getBoundingClientRect()
    const place = ((clientX - left) / width) * 100
    const distances = places.map((one) => Math.abs(one - place))
    show(distances.indexOf(Math.min(...distances)))
  })
  picture.addEventListener('focus', () => show(shown))
  picture.addEventListener('keydown', (event) => {
    const moves = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: rows.length - 1 }
    if (!(event.key in moves)) return
    event.preventDefault()
    show(moves[event.key])
  })
}

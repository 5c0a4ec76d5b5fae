import { measure, readPairs } from './measure.ts'

// npm run sluice -- bench cross-venue [--all]: measures the matching of markets of two venues. --all also
// lists the errors in the part on which the rules were tuned.
const pairs = readPairs()
const parts = ['tuned', 'held', 'fresh', 'real']
const rows = [
  measure('all', pairs),
  ...parts.map((part) =>
    measure(
      part,
      pairs.filter((pair) => pair.part === part),
    ),
  ),
]
console.log('The texts are invented, except for the titles of the part "real", which the venues used.')
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
console.table(
  rows.map(({ name, pairs: count, precision, recall }) => ({
    set: name,
    pairs: count,
    precision: percent(precision),
    recall: percent(recall),
  })),
)
for (const { name, classes } of rows.slice(1)) {
  console.log(`\n${name}: results by labelled class`)
  console.table(classes)
}
if (process.argv.includes('--all'))
  for (const { pair, found } of rows.find(({ name }) => name === 'tuned')!.wrong) {
    const said = `${found.relation}${found.inverted ? ', inverted' : ''}, ${found.score}`
    console.log(`${pair.class}: ${said}\n  ${pair.polymarket.question} | ${pair.polymarket.label ?? ''}`)
    console.log(`  ${pair.kalshi.question} | ${pair.kalshi.label ?? ''}`)
    for (const { clause, reason } of found.vetoes) console.log(`    ${clause}: ${reason}`)
  }

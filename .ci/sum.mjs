// Sums the reports of the test sets in a folder. Prints each failed test with the start of its message, and
// last the line "N passed, N failed", so that whoever sees only the end of the output learns what failed.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const folder = process.argv[2]
const files = ['test', 'test:whole'].map((set) => `${folder}/${set}.json`)
if (!files.every((file) => existsSync(file))) {
  console.log('The tests did not run.')
  process.exit(1)
}
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')))
const isFailed = ({ status }) => status === 'failed'
// A file that could not be loaded, or failed outside its tests, counts as one failed test.
const isBroken = (file) => isFailed(file) && !file.assertionResults.some(isFailed)

function tell(file, name, message) {
  console.log(`failed: ${relative('.', file)}${name}`)
  for (const line of (message ?? '').split('\n').slice(0, 12)) console.log(`    ${line}`)
}

for (const { testResults } of reports) {
  for (const file of testResults) {
    if (isBroken(file)) tell(file.name, '', file.message)
    for (const test of file.assertionResults.filter(isFailed)) {
      tell(file.name, ` > ${test.fullName}`, test.failureMessages[0])
    }
  }
}

const sum = (count) => reports.map(count).reduce((a, b) => a + b)
const failed = sum((report) => report.numFailedTests + report.testResults.filter(isBroken).length)
console.log(`${sum((report) => report.numPassedTests)} passed, ${failed} failed`)

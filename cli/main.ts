import { runCommandLine } from './run-command-line.ts'

// When the reader of the output is gone (npm start | head), the supervisor must still outlive its processes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// Open handles, such as the channel to the launcher, must not keep the process alive.
process.exit(await runCommandLine(process.argv.slice(2)))

import { runCommandLine } from './run-command-line.ts'

// A reader that has gone (npm start | head) must not end the supervisor before its processes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// Nothing that is still open, such as the channel to the launcher, may hold the process.
process.exit(await runCommandLine(process.argv.slice(2)))

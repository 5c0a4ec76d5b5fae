/** Colours of the light theme. */
export const LIGHT = `--text: #1b1f24; --soft: #57606a; --ground: #fff; --panel: #f3f5f8; --line: #868e98;
    --accent: #0b57d0; --on-accent: #fff; --bad: #b3261e; --s0: #0b57d0; --s1: #9a6700; --s2: #116329; --s3: #a0328c; --s4: #57606a;
    --good: #116329; --odd: #8a5300; --track: #d8dee4`

/** Colours of the dark theme. */
export const DARK = `--text: #e6e8eb; --soft: #a7b0ba; --ground: #14171a; --panel: #20252b;
    --line: #7a838d; --accent: #8ab4f8; --on-accent: #10141a; --bad: #ffb4ab; --s0: #8ab4f8; --s1: #e3b341; --s2: #7ee787;
    --s3: #f0a3e0; --s4: #a7b0ba;
    --good: #7ee787; --odd: #e3b341; --track: #3a424b`

/** Stylesheet of all pages, smallest screen first. Text colours have a contrast of at least 4.5:1. */
export const STYLE = `
  :root { color-scheme: light dark; ${LIGHT} }
  @media (prefers-color-scheme: dark) { :root { ${DARK} } }
  * { box-sizing: border-box }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; padding: 0 1rem 3rem; max-width: 60rem; color: var(--text); background: var(--ground); overflow-wrap: break-word }
  a { color: var(--accent) }
  h1 { font-size: 1.6rem; line-height: 1.2; margin: 1.5rem 0 1rem; overflow-wrap: anywhere } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem }
  code, output { font: .9rem ui-monospace, monospace; overflow-wrap: anywhere }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  .skip { position: absolute; left: -100rem } .skip:focus { position: static }
  header nav { display: flex; flex-wrap: wrap; gap: .25rem .75rem; padding: .75rem 0; border-bottom: 1px solid var(--line); align-items: center }
  header nav a { padding: .5rem 0; min-height: 2.75rem } header nav a[aria-current] { font-weight: 700; text-decoration: none; color: var(--text) }
  header nav form { margin: 0 0 0 auto }
  form { margin: .5rem 0 } fieldset { border: 1px solid var(--line); border-radius: .5rem; margin: .75rem 0; padding: .5rem .75rem; min-width: 0 }
  label { display: block; margin: .5rem 0 } label.check { display: inline-flex; gap: .4rem; align-items: center; margin: .25rem 1rem .25rem 0; min-height: 2rem; overflow-wrap: anywhere; max-width: 100% }
  input:not([type=checkbox]), select { display: block; width: 100%; max-width: 24rem; font: inherit; padding: .5rem; margin-top: .25rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--ground); color: var(--text) }
  input[type=checkbox] { width: 1.2rem; height: 1.2rem }
  button, .button { display: inline-block; font: inherit; font-weight: 600; padding: .5rem .9rem; min-height: 2.75rem; border: 1px solid var(--accent); border-radius: .4rem; background: var(--accent); color: var(--on-accent); text-decoration: none; cursor: pointer; max-width: 100%; overflow-wrap: anywhere }
  button.plain { background: transparent; color: var(--accent) } button.bad { background: transparent; color: var(--bad); border-color: var(--bad) }
  .row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center } .row form { margin: 0 }
  .panel { background: var(--panel); border-radius: .5rem; padding: .75rem 1rem; margin: .75rem 0 } .panel h2, .panel h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere }
  .notice { border-left: .35rem solid var(--accent) } .problem { border-left: .35rem solid var(--bad) }
  .soft { color: var(--soft) } .number { text-align: right; font-variant-numeric: tabular-nums }
  .scroll { overflow-x: auto } table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; padding: .4rem .5rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere } th.number, td.number { text-align: right; white-space: nowrap; overflow-wrap: normal }
  dl { display: grid; grid-template-columns: minmax(0, max-content) minmax(0, 1fr); gap: .25rem 1rem; margin: 0 } dt { color: var(--soft) } dd { margin: 0; overflow-wrap: anywhere }
  svg.code { width: 14rem; height: 14rem }
  figure { margin: .5rem 0 } :where(svg:not(.plot)) { display: block; width: 100%; height: 11rem; margin: .25rem 0 }
  svg .axis { stroke: var(--line); vector-effect: non-scaling-stroke } svg .line { fill: none; stroke: var(--s0); stroke-width: 2; vector-effect: non-scaling-stroke }
  .ends { display: flex; justify-content: space-between } ul.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: .5rem 0 }
  .s0 { fill: var(--s0) } .s1 { fill: var(--s1) } .s2 { fill: var(--s2) } .s3 { fill: var(--s3) } .s4 { fill: var(--s4) }
  .legend svg { width: .8rem; height: .8rem; display: inline-block; margin: 0 .4rem 0 0 }
  svg.time { height: 16rem; overflow: visible; touch-action: pan-y } svg.time text { fill: var(--soft); font-size: .75rem } svg.time .grid { stroke: var(--track) } svg.time .cursor { stroke: var(--text) } svg.time .mark { transform: translateY(8px) }
  svg .line.l1 { stroke: var(--s1); stroke-dasharray: 6 4 } .mark.in { fill: var(--good) } .mark.out { fill: var(--bad) } figure output { display: block; min-height: 1.5rem }
  .legend .l0::before, .legend .l1::before { content: ''; display: inline-block; width: 1.2rem; border-top: 2px solid var(--s0); margin-right: .4rem; vertical-align: middle } .legend .l1::before { border-top: 2px dashed var(--s1) }
  .gain { color: var(--good) } .loss { color: var(--bad) } svg.part { width: 4rem; height: .3rem; margin: .2rem 0 0 auto } .coins th { min-width: 7rem } .parameters th { min-width: 9rem } .choice { padding: .5rem .75rem; min-height: 2.75rem } .choice[aria-current] { font-weight: 700; text-decoration: none; color: var(--text) }
  textarea { display: block; width: 100%; font: .9rem ui-monospace, monospace; padding: .5rem; margin-top: .25rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--ground); color: var(--text) }
  .tabs > legend { font-weight: 600 } .tabs > input:not([type=checkbox]) { display: inline; width: auto; margin: 0 .4rem 0 0 } .tabs > label { display: inline-block; margin: .25rem 1rem .25rem 0 } .tabs > pre { display: none } .tabs > input:nth-of-type(1):checked ~ pre:nth-of-type(1), .tabs > input:nth-of-type(2):checked ~ pre:nth-of-type(2), .tabs > input:nth-of-type(3):checked ~ pre:nth-of-type(3) { display: block }
  .fields ul { padding-left: 1.1rem } .fields li { overflow-wrap: anywhere } .fields i { color: var(--soft); font-style: normal }
  summary { cursor: pointer; padding: .5rem 0; color: var(--accent) }
  body:has(.wide) { max-width: 82rem } .small { display: block; font-size: .85rem } svg .bad, rect.bad { fill: var(--bad) } rect.good { fill: var(--good) } rect.odd { fill: var(--odd) } rect.none, .track { fill: var(--track) }
  .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .75rem; margin: 1rem 0 }
  .tile { display: grid; gap: .1rem; align-content: start; background: var(--panel); border-left: .35rem solid var(--track); border-radius: .5rem; padding: .75rem 1rem; color: var(--text); text-decoration: none } .tile:hover strong { text-decoration: underline }
  .tile strong { font-size: 1.3rem; line-height: 1.3 } .tile .soft { font-size: .85rem } .tile.good { border-color: var(--good) } .tile.odd { border-color: var(--odd) } .tile.bad { border-color: var(--bad) }
  .badge { display: inline-block; white-space: nowrap; font-size: .9rem } .badge::before { content: ''; display: inline-block; width: .6rem; height: .6rem; border-radius: 50%; margin-right: .4rem; background: var(--line) }
  .badge.good::before { background: var(--good) } .badge.odd::before { background: var(--odd) } .badge.bad::before { background: var(--bad) } .badge.bad { color: var(--bad); font-weight: 600 } .badge.odd { color: var(--odd); font-weight: 600 }
  svg.gauge { width: 8rem; height: .5rem; margin: .45rem 0 .2rem } svg .mark { stroke: var(--text); stroke-width: 2; vector-effect: non-scaling-stroke } svg.spark { width: 8rem; height: 1.5rem; margin: 0 }
  h3 { font-size: 1rem; margin: 1.25rem 0 .25rem } pre { margin: .5rem 0; background: var(--panel); border-radius: .5rem; padding: .75rem 1rem; overflow: auto; max-height: 40rem; font: .85rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
  .filters { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end } .filters label { margin: 0; min-width: 0; max-width: 100% } table.stack { font-size: .93rem } table.stack .number + :not(.number) { padding-left: 1.5rem } table.stack th { font-weight: 600 } table.stack thead th { color: var(--soft); font-weight: 400 } table.stack form { margin: .25rem 0 0 } table.stack button { padding: .15rem .7rem; min-height: 2rem }
  @media (min-width: 64rem) { #sources-now table { table-layout: fixed } #sources-now th { width: 8.5% } #sources-now th:nth-child(1) { width: 12% } #sources-now th:nth-child(2) { width: 16% } #sources-now th:nth-child(3) { width: 9% } #sources-now th:nth-child(n+4):nth-child(-n+5) { width: 13% } #sources-now th:nth-child(8) { width: 15% } #sources-now th:nth-child(9) { width: 6% } }
  @media (max-width: 30rem) { .tile { padding: .6rem } .tile strong { font-size: 1.1rem } }
  @media screen and (max-width: 50rem) { table.stack .number + :not(.number) { padding-left: 0 } table.stack, table.stack tbody, table.stack tr { display: block } table.stack thead { position: absolute; left: -100rem } table.stack tr { padding: .5rem 0; border-bottom: 1px solid var(--line) }
    table.stack tbody th, table.stack td { display: flex; gap: .25rem 1rem; justify-content: space-between; flex-wrap: wrap; padding: .15rem 0; border: 0; text-align: left } table.stack td.number { white-space: normal } table.stack td .soft { margin-left: auto } table.stack td::before { content: attr(data-name); color: var(--soft) } }
  @media print { :root { color-scheme: light; ${LIGHT} } header, form, nav, .skip, p.row { display: none !important } body, body:has(.wide) { max-width: none; padding: 0; font-size: 9pt } h2 { break-after: avoid } tr { break-inside: avoid } a { color: inherit; text-decoration: none } table.stack { font-size: 8pt } table.stack .number + :not(.number) { padding-left: .5rem } }
`

/** In millimetres on paper, or on a phone's screen taken as equally wide. */
export const STYLES = `
@page { size: 105mm 148mm; margin: 0 }
* { box-sizing: border-box; margin: 0 }
:root { --ink: #10162f; --soft: #565d7a; --line: #d5d9e8; --accent: #3f3bd1; --tint: #f3f4fb }
html { -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { font-size: 3.1mm; line-height: 1.35; color: var(--ink); font-feature-settings: "cv11" }
.pass { display: flex; flex-direction: column; gap: 2.4mm; width: 105mm; min-height: 148mm; padding-bottom: 4.5mm; background: #fff; break-after: page; overflow: hidden }
.paper .pass { height: 148mm }
.pass:last-child { break-after: auto }
.phone .pass + .pass { border-top: 3mm solid var(--line) }
.pass > * { margin: 0 6mm }
header { flex: none; display: flex; align-items: center; justify-content: space-between; height: 11mm; padding: 0 6mm; background: var(--ink); color: #fff }
.pass > header { margin: 0 }
header b { font-size: 4.2mm; font-weight: 650 }
header span { font-size: 3.4mm; font-weight: 550; color: #c9cdf5 }
.label { display: block; font-size: 2.4mm; font-weight: 600; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); white-space: nowrap }
.name { text-align: left; font-weight: 680; line-height: 1.35; overflow-wrap: anywhere; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3 }
.name.size-0 { font-size: 6.6mm } .name.size-1 { font-size: 5mm } .name.size-2 { font-size: 3.8mm } .name.size-3 { font-size: 3.1mm; -webkit-line-clamp: 4 }
.written, .mono { font-family: "JetBrains Mono", monospace; font-weight: 500 }
.written { font-size: 3mm; color: var(--soft) }
.way { display: grid; grid-template-columns: auto 9mm minmax(0, 1fr); gap: 4mm; align-items: end }
.way svg { width: 9mm; margin-bottom: 2.4mm }
.way strong { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; text-align: left; font-weight: 740; line-height: 1.2; overflow-wrap: anywhere }
.way .from, .to.size-0 { font-size: 8mm } .to.size-1 { font-size: 5mm } .to.size-2 { font-size: 3.4mm }
.facts { display: grid; grid-template-columns: minmax(0, 1fr) auto auto auto; border: .3mm solid var(--line); border-radius: 2mm; background: var(--tint) }
.times { grid-template-columns: 1fr 1fr }
.fact { padding: 1.4mm 2.6mm; min-width: 0; border-left: .3mm solid var(--line) }
.fact:first-child { border-left: 0 }
.times .fact:first-child { background: var(--accent); border-radius: 1.7mm 0 0 1.7mm }
.times .fact:first-child * { color: #fff }
.fact strong { display: block; font-size: 5.2mm; font-weight: 700; line-height: 1.2; white-space: nowrap }
.fact strong.size-1 { font-size: 3.8mm; line-height: 1.64 }
.fact strong.size-2 { font-size: 2.9mm; line-height: 1.25; white-space: normal; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden }
.times .fact strong { font-size: 6mm }
.fact small { display: block; font-size: 3mm; color: var(--soft) }
.code { flex: 1 0 auto; display: flex; align-items: center; justify-content: center }
.code svg { display: block; height: auto }
.paper .code svg { width: 92mm }
.phone .code { padding: 2mm 0 }
.phone .code svg { width: 54mm }
footer { display: flex; flex-wrap: wrap; gap: 1.6mm 6mm }
footer p { min-width: 0 }
.mono { font-size: 3.2mm; overflow-wrap: anywhere; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2 }
.member { -webkit-line-clamp: 1 }
.check { width: 100%; display: flex; gap: 1.8mm; align-items: center; font-weight: 550 }
.check::before { content: ""; flex: none; width: 8px; height: 8px; border-radius: 50%; background: #12855a }
.check.pending::before { background: #c77700 } .check.missing::before { background: #c8283c }
`;

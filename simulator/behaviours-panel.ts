import { AREAS, behavioursOf, type Area, type Behaviour } from "./behaviours"
import type { Language, Wording } from "./language"
import { html, type Markup } from "./page-layout"

/** The developer page's list of what the simulator does, and whether the specification shows it. */
export function behavioursPanel(language: Language, words: Wording): Markup {
  return html`<h2>${words.behaviours}</h2>
    ${group(words.invented, false, language, words)} ${group(words.shown, true, language, words)}`
}

function group(title: string, isShown: boolean, language: Language, words: Wording): Markup {
  const names: Record<Area, string> = {
    payments: words.transactions,
    export: words.export,
    subscriptions: words.subscriptions,
    payouts: words.payouts,
    callbacks: words.callbacks,
    answers: words.answers,
  }
  return html`<details class="panel behaviours">
    <summary>${title}</summary>
    ${AREAS.map((area) => {
      const behaviours = behavioursOf(area, isShown)
      return (
        behaviours.length > 0 &&
        html`<h3>${names[area]}</h3>
          <ul>
            ${behaviours.map((behaviour) => item(behaviour, language))}
          </ul>`
      )
    })}
  </details>`
}

function item(behaviour: Behaviour, language: Language): Markup {
  return html`<li data-behaviour="${behaviour.id}">
    ${behaviour[language]}
    ${behaviour.changedBy && html`<code>${behaviour.changedBy.join(", ")}</code>`}
  </li>`
}

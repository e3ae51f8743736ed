import { AREAS, behavioursOf, type Behaviour } from "./behaviours"

const OPTIONS = `Usage: medusa-payment-sbp-crypto-simulator [options]

Starts a stand-in for the Payment Service and prints one line of JSON when it listens.

  --port <number>              default: any free port
  --host <address>             default: 127.0.0.1; another one needs --password
  --password <text>            asked for by pages and control routes (HTTP Basic, any user name)
  --public-url <url>           address used in redirect links, default: http://localhost:<port>
  --merchant <id>              merchant id of X-MerchantId and kid
  --merchant-name <text>       shown to the payer
  --secret <text>              X-Secret
  --signing <text>             signing secret of the payout area
  --scheme <word>              first word of Authorization, default: SVC-HMAC
  --callback <url>             where callbacks go, default: none are sent
  --callback-body <shape>      flat (default), nested or array
  --status-pending <name>      default: PENDING
  --status-paid <name>         default: CONFIRMED
  --status-canceled <name>     default: CANCELED
  --status-expired <name>      default: EXPIRED
  --status-reversed <name>     default: CHARGEBACKED
  --expires-in <seconds>       time to pay, default: 900
  --repeated-key <answer>      same (default) or reject
  --export-as <form>           array (default) or link
  --usdt-rate <number>         rubles per USDT, default: 92.5
  --require-user-id            refuse a creation without metadata.userId
  --help                       this text
`

const CONTROL = `While it runs, its address has a page for people: every payment, callback and request, and a way to
break the next one. Programs use these routes, with bodies in JSON:

  GET    /__simulator                            settings; PUT /__simulator/settings changes some
  GET    /__simulator/transactions               all; POST adds some: {"amount":1000,"times":1}
  POST   /__simulator/transactions/<id>/pay      {"amount":990,"currency":"RUB","callback":false,"wait":false},
                                                 each of them if wanted; also decline, expire, reverse
  POST   /__simulator/transactions/<id>/status   {"status":"ODD"}
  POST   /__simulator/transactions/<id>/edit     {"payload":"another"}: what later reads say
  POST   /__simulator/transactions/<id>/callback sends one now: {"times":2,"body":{}}
  GET    /__simulator/requests                   the last 10,000, without secrets and card numbers; DELETE
  GET    /__simulator/callbacks                  the last 5,000, with what was answered; DELETE
  PUT    /__simulator/callback                   {"url":"…","drop":true,"duplicate":1,"delayMs":100,"reorder":true}
  POST   /__simulator/faults                     {"on":"create","kind":"status","status":503,"times":1}; GET, DELETE
  POST   /__simulator/clock                      {"advanceMs":900000}
  GET    /__simulator/cards, payouts, subscriptions, behaviours
`

/** The text of `--help`. */
export function help(): string {
  return [
    OPTIONS,
    CONTROL,
    "Invented here, because the specification does not show it; the real service may differ.",
    "In brackets, the flags and the settings that change it:\n",
    ...listed(false),
    "As the specification shows:\n",
    ...listed(true),
  ].join("\n")
}

function listed(isShown: boolean): string[] {
  return AREAS.flatMap((area) => {
    const behaviours = behavioursOf(area, isShown)
    return behaviours.length === 0 ? [] : [`  ${area}`, ...behaviours.map(item), ""]
  })
}

function item({ en, changedBy }: Behaviour): string {
  return wrapped(changedBy ? `${en} [${changedBy.join(", ")}]` : en)
}

/** A text as an item of a list, in lines of at most a hundred characters. */
function wrapped(text: string): string {
  const lines = [""]
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trimStart()
    if (line.length <= 94) lines[lines.length - 1] = line
    else lines.push(word)
  }
  return lines.map((line, index) => `    ${index === 0 ? "-" : " "} ${line}`).join("\n")
}

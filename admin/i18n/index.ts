import storeExportsEn from "../../src/exports/texts.en.json"
import storeExportsRu from "../../src/exports/texts.ru.json"
import storePayoutsEn from "../../src/payouts/texts.en.json"
import storePayoutsRu from "../../src/payouts/texts.ru.json"
import storeProblemsEn from "../../src/problems/texts.en.json"
import storeProblemsRu from "../../src/problems/texts.ru.json"
import en from "./en.json"
import exportsEn from "./exports.en.json"
import exportsRu from "./exports.ru.json"
import overviewEn from "./overview.en.json"
import overviewRu from "./overview.ru.json"
import payoutsEn from "./payouts.en.json"
import payoutsRu from "./payouts.ru.json"
import problemsEn from "./problems.en.json"
import problemsRu from "./problems.ru.json"
import ru from "./ru.json"
import settingsEn from "./settings.en.json"
import settingsRu from "./settings.ru.json"
import subscriptionsEn from "./subscriptions.en.json"
import subscriptionsRu from "./subscriptions.ru.json"

interface Texts {
  own: typeof en &
    typeof overviewEn &
    typeof problemsEn &
    typeof subscriptionsEn &
    typeof settingsEn
  exports: typeof exportsEn
  payouts: typeof payoutsEn
  store: Pick<typeof storeProblemsEn, "problemKinds" | "standings" | "exceptions"> &
    Pick<typeof storeExportsEn, "methods"> &
    Pick<typeof storePayoutsEn, "payoutStates">
}

/** The namespace is our own: the dashboard merges the texts of all plugins, and "translation" is the dashboard's. */
const textsOf = ({ own, exports, payouts: { payout }, store }: Texts) => {
  // Words that the store's files and messages have, too.
  const { problemKinds, standings, exceptions, methods, payoutStates: states } = store
  const shared = { problemKinds, standings, exceptions, methods }
  return { paymentService: { ...own, ...shared, payout: { ...payout, states }, exports } }
}

export default {
  en: textsOf({
    own: { ...en, ...overviewEn, ...problemsEn, ...subscriptionsEn, ...settingsEn },
    exports: exportsEn,
    payouts: payoutsEn,
    store: { ...storeExportsEn, ...storePayoutsEn, ...storeProblemsEn },
  }),
  ru: textsOf({
    own: { ...ru, ...overviewRu, ...problemsRu, ...subscriptionsRu, ...settingsRu },
    exports: exportsRu,
    payouts: payoutsRu,
    store: { ...storeExportsRu, ...storePayoutsRu, ...storeProblemsRu },
  }),
}

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

/** Words that the store's files and messages have, too. */
type Shared = Pick<typeof storeProblemsEn, "problemKinds" | "standings" | "exceptions"> &
  Pick<typeof storeExportsEn, "methods">
const shared = ({ problemKinds, standings, exceptions, methods }: Shared) => ({
  ...{ problemKinds, standings, exceptions, methods },
})

const english = {
  ...{ ...en, ...overviewEn, ...problemsEn, ...subscriptionsEn, ...settingsEn },
  ...shared({ ...storeProblemsEn, ...storeExportsEn }),
  payout: { ...payoutsEn.payout, states: storePayoutsEn.payoutStates },
  exports: exportsEn,
}
const russian = {
  ...{ ...ru, ...overviewRu, ...problemsRu, ...subscriptionsRu, ...settingsRu },
  ...shared({ ...storeProblemsRu, ...storeExportsRu }),
  payout: { ...payoutsRu.payout, states: storePayoutsRu.payoutStates },
  exports: exportsRu,
}

/** The namespace is our own: the dashboard merges the texts of all plugins, and "translation" is the dashboard's. */
export default { en: { paymentService: english }, ru: { paymentService: russian } }

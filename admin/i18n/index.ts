import en from "./en.json"
import exportsEn from "./exports.en.json"
import exportsRu from "./exports.ru.json"
import ru from "./ru.json"

// A namespace of our own: the dashboard merges the texts of all plugins, and "translation" is its own.
export default {
  en: { paymentService: { ...en, exports: exportsEn } },
  ru: { paymentService: { ...ru, exports: exportsRu } },
}

/**
 * What is said to someone who writes in a language that the models do not read. The small language
 * model would answer words that it does not understand, so it is not asked.
 */

const ENGLISH =
  'I am an AI and so far I understand only English. If you can, please tell me again in English. If you are in danger now, call your local emergency number.';

/** The same in the other languages that the safety rules know; not reviewed by native speakers. */
const OWN: Readonly<Record<string, string>> = {
  es: 'Soy una IA y por ahora solo entiendo inglés. Si puedes, cuéntamelo otra vez en inglés. Si estás en peligro ahora, llama al número de emergencias de tu país.',
  fr: "Je suis une IA et pour l'instant je ne comprends que l'anglais. Si vous le pouvez, redites-le-moi en anglais. Si vous êtes en danger maintenant, appelez le numéro d'urgence de votre pays.",
  de: 'Ich bin eine KI und verstehe bisher nur Englisch. Wenn du kannst, sag es mir bitte noch einmal auf Englisch. Wenn du jetzt in Gefahr bist, ruf die Notrufnummer deines Landes an.',
  pt: 'Sou uma IA e por enquanto só entendo inglês. Se puder, conte-me de novo em inglês. Se estiver em perigo agora, ligue para o número de emergência do seu país.',
  it: 'Sono una IA e per ora capisco solo l’inglese. Se puoi, dimmelo di nuovo in inglese. Se sei in pericolo adesso, chiama il numero di emergenza del tuo paese.',
};

/** @param language ISO 639-1 code, null when unknown. English always stands in it. */
export function otherLanguageReply(language: string | null): string {
  const own = language === null ? undefined : OWN[language];
  return own === undefined ? ENGLISH : `${own}\n\n${ENGLISH}`;
}

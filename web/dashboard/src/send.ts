// Automatically submits a form that a person would only have to confirm.
document.querySelector<HTMLFormElement>("form[data-send]")?.submit();
